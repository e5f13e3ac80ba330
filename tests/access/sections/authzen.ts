import type { Body, SectionAccess } from '#tests/access/section_access'
import { uniqueEmail } from '#tests/helpers/people'

const properties = { status: 'open' }
const subject = () => ({ type: 'user', id: uniqueEmail(), properties })
const action = { name: 'read', properties }
const resource = { type: 'document', id: '7', properties }
const context = { calm: true }

const evaluation = () => ({ subject: subject(), action, resource, context })
const evaluations: Body = () => ({
  ...evaluation(),
  evaluations: [evaluation(), { action: { name: 'write' } }],
  options: { evaluations_semantic: 'execute_all' },
})

const page = { limit: 10 }
const subjects: Body = () => ({ subject: { type: 'user' }, action, resource, context, page })
const resources: Body = () => ({ ...evaluation(), resource: { type: 'document' }, page })
const actions: Body = () => ({ subject: subject(), resource, context, page })

export default {
  routes: {
    'GET /.well-known/authzen-configuration/api/authzen/:appCode': 'anyone',
    'POST /api/authzen/:appCode/access/v1/evaluation': ['authzen', evaluation],
    'POST /api/authzen/:appCode/access/v1/evaluations': ['authzen', evaluations],
    'POST /api/authzen/:appCode/access/v1/search/subject': ['authzen', subjects],
    'POST /api/authzen/:appCode/access/v1/search/resource': ['authzen', resources],
    'POST /api/authzen/:appCode/access/v1/search/action': ['authzen', actions],
  },
  parameters: {
    'authzen/:appCode': ({ application }) => application.code,
  },
} satisfies SectionAccess

import type { Body, SectionAccess } from '#tests/access/section_access'
import { uniqueEmail } from '#tests/helpers/people'

const properties = { status: 'open' }
const subject = () => ({ type: 'user', id: uniqueEmail(), properties })
const action = { name: 'read', properties }
const resource = { type: 'document', id: '7', properties }
const context = { calm: true }

const evaluation: Body = () => ({ subject: subject(), action, resource, context })
const evaluations: Body = (app) => ({
  ...evaluation(app),
  evaluations: [evaluation(app), { action: { name: 'write' } }],
  options: { evaluations_semantic: 'execute_all' },
})

export default {
  routes: {
    'GET /.well-known/authzen-configuration/api/authzen/:appCode': 'anybody',
    'POST /api/authzen/:appCode/access/v1/evaluation': ['authzen', evaluation],
    'POST /api/authzen/:appCode/access/v1/evaluations': ['authzen', evaluations],
  },
  parameters: {
    'authzen/:appCode': ({ application }) => application.code,
  },
} satisfies SectionAccess

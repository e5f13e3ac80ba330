import {
  type Question,
  type Workload,
  applicationCode,
  emailOf,
  permissionCode,
} from '../world/workload.ts'

/** How to send a check to a server and read its result. */
export interface Api {
  path: string
  encode(question: Question, workload: Workload): object
  /** Whether each permission of the question is allowed, in its order. */
  decode(answer: unknown, question: Question): boolean[]
}

export interface SingleCheck {
  email: string
  app: string
  permission: string
}

function encodeSingle({ user, app, permissions: [permission] }: Question): SingleCheck {
  return {
    email: emailOf(user),
    app: applicationCode(app),
    permission: permissionCode(permission),
  }
}

const decodeSingle = (answer: unknown) => [(answer as { data: { allowed: boolean } }).data.allowed]

export const singleCheck: Api = {
  path: '/api/check',
  encode: encodeSingle,
  decode: decodeSingle,
}

/** True with the attributes of `conditionalCheck`. */
export const CONDITION = 'resource.properties.status == "open" && resource.properties.amount < 100'

const attributes = { resource: { status: 'open', amount: 50 } }

export const conditionalCheck: Api = {
  ...singleCheck,
  encode: (question) => ({ ...encodeSingle(question), attributes }),
}

export const bulkCheck: Api = {
  path: '/api/check/bulk',
  encode: ({ user, app, permissions }) => ({
    email: emailOf(user),
    app: applicationCode(app),
    permissions: permissions.map(permissionCode),
  }),
  decode: (answer, { permissions }) => {
    const { data } = answer as { data: Record<string, boolean> }
    return permissions.map((permission) => data[permissionCode(permission)])
  },
}

/** A route that reads the body of a single check and decides nothing. */
export const bareRoute: Api = { ...singleCheck, path: '/api/bare' }

/** Of a library behind Fastify. */
export const engineCheck = (name: string): Api => ({ ...singleCheck, path: `/${name}` })

/** Cerbos decides by the roles in the request; a principal must have at least one. */
export const cerbosCheck: Api = {
  path: '/api/check/resources',
  encode: (question, workload) => {
    const application = applicationCode(question.app)
    return {
      principal: {
        id: emailOf(question.user),
        roles: ['user', ...workload.roleCodes(question)],
      },
      resources: [
        {
          resource: { kind: application, id: application },
          actions: question.permissions.map(permissionCode),
        },
      ],
    }
  },
  decode: (answer, { permissions }) => {
    const { results } = answer as { results: { actions: Record<string, string> }[] }
    return permissions.map(
      (permission) => results[0].actions[permissionCode(permission)] === 'EFFECT_ALLOW'
    )
  },
}

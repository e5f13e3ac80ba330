import { APPLICATION, type Build, RESOURCE_TYPE } from './fill.ts'

const PAGE = 100
/** A user with a role that grants the permissions: number 4 has role 52 of application 5. */
const HOLDER = 'user0000004@acme.example'

export interface Question {
  name: string
  path: string
  body: object
  /** Whether each request asks for the page after the one before. */
  walks: boolean
  /** How many results all pages have. */
  expected: (users: number, build: Build) => number
}

const subjects = { app: APPLICATION, permission: 'orders', limit: PAGE, count: false }
const resources = { ...subjects, email: HOLDER, resourceType: RESOURCE_TYPE }
const limited = { permission: 'limited', attributes: { context: { amount: 5 } } }
const open = { ...limited.attributes, resource: { status: 'open' } }

const bySubject = {
  path: '/api/check/search/subjects',
  walks: true,
  expected: (_: number, { subjects: holders }: Build) => holders,
}
const byResource = { path: '/api/check/search/resources', walks: true }

export const QUESTIONS: Question[] = [
  { ...bySubject, name: 'users', body: subjects },
  {
    ...bySubject,
    name: 'users, under a condition',
    body: { ...subjects, ...limited, attributes: open },
  },
  {
    ...bySubject,
    name: 'users, first page, which tries to count',
    body: { ...subjects, count: undefined },
    walks: false,
  },
  { ...byResource, name: 'resources', body: resources, expected: (users) => users },
  {
    ...byResource,
    name: 'resources, under a condition',
    body: { ...resources, ...limited },
    expected: (users) => users / 2,
  },
]

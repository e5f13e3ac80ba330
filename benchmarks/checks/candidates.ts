import {
  type Api,
  bareRoute,
  bulkCheck,
  cerbosCheck,
  conditionalCheck,
  engineCheck,
  singleCheck,
} from './apis.ts'
import type { Server } from '../world/processes.ts'
import type { Question, Workload } from '../world/workload.ts'
import type { Concierge, World } from './worlds.ts'

/** Fit into the decision cache (5,000 entries) as a whole. */
const CACHED = { single: 500, bulk: 40 }
/** Several times the size of the cache: in turn, no check finds its result there. */
const UNCACHED = { single: 30_000, bulk: 1_000 }

/** Libraries that decide in the memory of an application. */
const LIBRARIES = [
  { id: 'casbin', name: 'casbin' },
  { id: 'casl', name: 'CASL' },
  { id: 'cedar', name: 'Cedar (WebAssembly)' },
]

/** One thing to measure: questions of one kind to one server. */
export interface Candidate {
  id: string
  name: string
  server: Server
  api: Api
  workload: Workload
  questions: Question[]
  /** False for the floors, which respond without deciding. */
  decides: boolean
  /** Set if the server is this service, serving a check. */
  concierge?: Concierge
  kind?: Kind
}

export type Kind = 'cached' | 'uncached'

/** In the order of measuring: candidates that are compared follow one another. */
export function candidatesOf(world: World): Candidate[] {
  const { nodeEcho, fastify, cerbos, small, large, conditional } = world
  const { workload } = small.SQLite
  const questions = singleQuestions(workload, CACHED.single)
  const bulkQuestions = workload.bulkQuestions(CACHED.bulk)
  const floor = { api: bareRoute, workload, questions, decides: false }
  const rival = { workload, questions, decides: true }
  return [
    { id: 'node', name: 'node:http, JSON echo', server: nodeEcho, ...floor },
    { id: 'fastify', name: 'Fastify, bare route', server: fastify, ...floor },
    { id: 'bare', name: 'Concierge, bare route of the same stack', server: small.SQLite, ...floor },
    ...singleChecks('cached', small.SQLite, large.SQLite),
    {
      id: 'cached conditional',
      name: 'Concierge, check under a condition, cached, SQLite',
      server: conditional,
      api: conditionalCheck,
      workload,
      questions,
      decides: true,
      concierge: conditional,
      kind: 'cached',
    },
    ...singleChecks('cached', small.PostgreSQL, large.PostgreSQL),
    ...singleChecks('uncached', small.SQLite, large.SQLite),
    ...singleChecks('uncached', small.PostgreSQL, large.PostgreSQL),
    bulkChecks('cached', small.SQLite),
    bulkChecks('cached', small.PostgreSQL),
    bulkChecks('uncached', small.SQLite),
    bulkChecks('uncached', small.PostgreSQL),
    ...LIBRARIES.map(({ id, name }) => ({
      id,
      name: `Fastify with ${name}`,
      server: fastify,
      api: engineCheck(id),
      ...rival,
    })),
    { id: 'cerbos', name: 'Cerbos, one action', server: cerbos, api: cerbosCheck, ...rival },
    {
      id: 'cerbos bulk',
      name: 'Cerbos, 100 actions',
      server: cerbos,
      api: cerbosCheck,
      ...rival,
      questions: bulkQuestions,
    },
  ]
}

const singleQuestions = (workload: Workload, count: number) => workload.questions(count, 2)

/** The same questions to the small and to the hundredfold world. */
function singleChecks(kind: Kind, ...servers: Concierge[]): Candidate[] {
  const count = kind === 'cached' ? CACHED.single : UNCACHED.single
  return servers.map((concierge, index) => {
    const { workload, database } = concierge
    const large = index > 0
    return {
      id: `${kind} ${database}${large ? ' large' : ''}`,
      name: `Concierge, check, ${kind}, ${database}${large ? `, ${workload.users.toLocaleString('en-GB')} users` : ''}`,
      server: concierge,
      api: singleCheck,
      workload,
      questions: singleQuestions(workload, count),
      decides: true,
      concierge,
      kind,
    }
  })
}

function bulkChecks(kind: Kind, concierge: Concierge): Candidate {
  const { workload, database } = concierge
  return {
    id: `bulk ${kind} ${database}`,
    name: `Concierge, bulk of 100, ${kind}, ${database}`,
    server: concierge,
    api: bulkCheck,
    workload,
    questions: workload.bulkQuestions(kind === 'cached' ? CACHED.bulk : UNCACHED.bulk),
    decides: true,
    concierge,
    kind,
  }
}

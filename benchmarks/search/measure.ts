import { backendsOf } from '../world/postgres_cpu.ts'
import { cpuOf } from '../world/process_cpu.ts'
import type { ForkedServer } from '../world/processes.ts'
import type { Question } from './questions.ts'

export interface Sample {
  /** CPU time of the service per full page, in microseconds. */
  service: number
  /** The same of PostgreSQL. */
  database: number
}

interface Page {
  results: unknown[]
  nextCursor: string | null
}

/** Reads pages one after another, and starts over after the last full one. */
export async function samplePages(
  { server, databaseUrl }: { server: ForkedServer; databaseUrl: string },
  question: Question,
  pages: number
): Promise<Sample> {
  let cursor: string | null = null
  const read = async () => {
    const page = await ask(server, question, cursor)
    cursor = question.walks && isFull(page) ? page.nextCursor : null
    return page
  }
  for (let warmUp = 0; warmUp < 150; warmUp++) await read()
  const backends = (await backendsOf(databaseUrl)) ?? []
  const before = { service: cpuOf([server.pid]), database: cpuOf(backends) }
  let full = 0
  // A short page costs as much as its entries, so it counts as that share of a full one.
  for (let done = 0; done < pages; done++) full += (await read()).results.length / limitOf(question)
  // One that ended took its time with it.
  const after = new Set(await backendsOf(databaseUrl))
  if (backends.some((pid) => !after.has(pid))) {
    return samplePages({ server, databaseUrl }, question, pages)
  }
  return {
    service: (cpuOf([server.pid]) - before.service) / full,
    database: (cpuOf(backends) - before.database) / full,
  }

  function isFull({ results }: Page) {
    return results.length === limitOf(question)
  }
}

function limitOf({ body }: Question) {
  return (body as { limit: number }).limit
}

async function ask(server: ForkedServer, { path, body }: Question, cursor: string | null) {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...(cursor !== null && { cursor }) }),
  })
  if (!response.ok) throw new Error(`${path} returned ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: Page }).data
}

/** @throws Error if a search does not find what was filled in */
export async function requireComplete(server: ForkedServer, question: Question, expected: number) {
  let [found, cursor]: [number, string | null] = [0, null]
  do {
    const page: Page = await ask(
      server,
      { ...question, body: { ...question.body, limit: 1_000 } },
      cursor
    )
    found += page.results.length
    cursor = page.nextCursor
  } while (cursor !== null)
  if (found !== expected) {
    throw new Error(`${question.name}: ${found} found instead of ${expected}`)
  }
}

import type { BrowserContext, Page, Request } from 'playwright-core'

/** What no page of the panel may do. */
export interface Watch {
  problems: string[]
  /** Problems that the test provokes. */
  expected: RegExp[]
  /** Requests that go on. */
  pending: Set<Request>
  /** What happens after each test, if later tests use the browser as well. */
  reuse?: (watch: Watch) => Promise<void>
}

const watches = new Map<BrowserContext, Watch>()

/** Called in the page, for violations of its policy; those of trusted types are some of them. */
const REPORT = `addEventListener('securitypolicyviolation', (event) => {
  const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event
  reportViolation([effectiveDirective, blockedURI, sourceFile + ':' + lineNumber, sample].join(' '))
})`

/**
 * Collects errors and warnings in the console, uncaught errors, violations of the policy, and
 * requests to other origins than these.
 */
export async function watchPages(context: BrowserContext, origins: string[]) {
  const watch: Watch = { problems: [], expected: [], pending: new Set() }
  const { problems, pending } = watch
  watches.set(context, watch)
  await context.exposeBinding('reportViolation', (_, text: string) => {
    problems.push(`policy violated: ${text}`)
  })
  await context.addInitScript(REPORT)
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    problems.push(`${message.type()} in the console: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error().stack}`))
  context.on('request', (request) => {
    pending.add(request)
    const { protocol, origin } = new URL(request.url())
    if (['data:', 'blob:'].includes(protocol) || origins.includes(origin)) return
    problems.push(`request to another origin: ${request.url()}`)
  })
  context.on('requestfinished', (request) => pending.delete(request))
  context.on('requestfailed', (request) => pending.delete(request))
  context.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    if (type.startsWith('text/event-stream')) pending.delete(response.request())
  })
}

/** Expects problems that match, such as `/status of 403/`. */
export function expectProblem(page: Page, pattern: RegExp) {
  watches.get(page.context())!.expected.push(pattern)
}

/** Whether all requests have been answered. */
export const isQuiet = (page: Page) => watches.get(page.context())!.pending.size === 0

/** Leaves a browser to later tests. */
export function keepOpen(context: BrowserContext, reuse: Required<Watch>['reuse']) {
  watches.get(context)!.reuse = reuse
}

/** Ends the browsers of a test. @throws Error that lists what their pages did wrong */
export async function requireCleanPages() {
  const found: string[] = []
  const end = async ([context, watch]: [BrowserContext, Watch]) => {
    if (watch.reuse) await watch.reuse(watch)
    else await context.close()
    const problems = watch.problems.splice(0)
    const expected = watch.expected.splice(0)
    found.push(...problems.filter((problem) => !expected.some((one) => one.test(problem))))
  }
  const ended = [...watches]
  for (const [context, { reuse }] of ended) if (!reuse) watches.delete(context)
  await Promise.all(ended.map(end))
  if (found.length > 0) throw new Error([...new Set(found)].slice(0, 20).join('\n'))
}

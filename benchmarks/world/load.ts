import autocannon from 'autocannon'

/** The load generator, in its own process, so that its CPU time is counted separately. */

export interface Definition {
  kind: 'define'
  id: string
  url: string
  path: string
  /** Empty for a GET. */
  bodies: string[]
  headers?: Record<string, string>
}

export interface Run {
  kind: 'run'
  id: string
  connections: number
  seconds: number
}

export interface RunResult {
  kind: 'result'
  answered: number
  failed: number
}

/** What to send, and the position: a run continues where the previous one ended. */
interface Job extends Definition {
  position: number
}

const jobs = new Map<string, Job>()

process.on('message', async (message: Definition | Run) => {
  if (message.kind === 'define') jobs.set(message.id, { ...message, position: 0 })
  else process.send!(await run(jobs.get(message.id)!, message))
})

async function run(job: Job, { connections, seconds }: Run): Promise<RunResult> {
  let clients = 0
  const result = await autocannon({
    url: job.url,
    connections,
    duration: seconds,
    sampleInt: 100,
    setupClient: (client) => client.setRequests(share(job, clients++ % connections, connections)),
  })
  job.position = (job.position + result['2xx'] + connections) % (job.bodies.length || 1)
  return {
    kind: 'result',
    answered: result['2xx'],
    failed: result.non2xx + result.errors + result.timeouts,
  }
}

/** Each connection sends its own share, so that no body is sent twice before all have been sent. */
function share({ path, bodies, headers = {}, position }: Job, client: number, connections: number) {
  if (bodies.length === 0) return [{ method: 'GET' as const, path, headers }]
  const requests = []
  for (let index = client; index < bodies.length; index += connections) {
    requests.push({
      method: 'POST' as const,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: bodies[(position + index) % bodies.length],
    })
  }
  return requests
}

process.once('disconnect', () => process.exit())
process.send!({ kind: 'ready' })

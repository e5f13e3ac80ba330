import { test } from '@japa/runner'
import { execFileSync } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forwardMessage } from '#core/process/forward_message'

/** Kills a worker, and returns before this process has noticed. */
function kill(worker: Worker) {
  worker.process.kill('SIGKILL')
  const state = () => execFileSync('ps', ['-o', 'stat=', '-p', String(worker.process.pid)])
  while (!state().toString().trim().startsWith('Z')) continue
}

test('a message goes to all other workers, although one has just died', async ({
  assert,
  cleanup,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-forward-'))
  const script = join(folder, 'worker.cjs')
  writeFileSync(script, `process.on('message', (message) => process.send(message))`)
  cluster.setupPrimary({ exec: script, execArgv: [] })
  const workers = [cluster.fork(), cluster.fork(), cluster.fork()]
  cleanup(() => {
    for (const worker of workers) worker.process.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  await Promise.all(workers.map((worker) => once(worker, 'online')))
  const [sender, dead, alive] = workers
  const errors: unknown[] = []
  dead.on('error', (error) => errors.push(error))
  sender.on('message', () => errors.push('the sender has received its message'))
  const exited = once(dead, 'exit')
  kill(dead)
  const answered = once(alive, 'message')
  forwardMessage(workers, sender, { kind: 'greeting' })
  const [answer] = await answered
  assert.deepEqual(answer, { kind: 'greeting' })
  await exited
  assert.deepEqual(errors, [])
})

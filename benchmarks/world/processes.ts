import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { workerArguments } from '#core/process/worker_arguments'

export interface Server {
  pid: number
  url: string
  stop(): Promise<void>
}

export interface ForkedServer extends Server {
  child: ChildProcess
}

/** Starts a server in a process of its own and waits until it listens. */
export async function startServer(
  file: URL,
  settings: Record<string, string> = {}
): Promise<ForkedServer> {
  const child = forkFile(file, settings)
  const { port } = await nextMessage<{ port: number }>(child, 'ready')
  return { child, pid: child.pid!, url: `http://127.0.0.1:${port}`, stop: () => stop(child) }
}

/** The least that any server costs: it answers each request with the body it has received. */
export const startNodeEcho = () => startServer(new URL('servers/node_echo.ts', import.meta.url))

/** The load generator, which has to say `ready` first. */
export const forkLoad = () => forkFile(new URL('load.ts', import.meta.url))

/** The mail server that accepts everything, which has to say `ready` first. */
export const forkSink = () => forkFile(new URL('servers/sink.ts', import.meta.url))

/** Runs a file as production would run it, with these settings and no others. */
export function forkFile(file: URL, settings: Record<string, string> = {}): ChildProcess {
  return fork(file, {
    execArgv: workerArguments(['--import=@poppinss/ts-exec', '--no-warnings']),
    env: { PATH: process.env.PATH, NODE_ENV: 'production', TZ: 'UTC', ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** The next message of this kind; rejects when the process ends without it. */
export async function nextMessage<T>(child: ChildProcess, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      child.off('message', onMessage).off('exit', onExit)
      finish()
    }
    const onMessage = (given: unknown) => {
      if (typeof given !== 'object' || given === null || !('kind' in given)) return
      if (given.kind === kind) settle(() => resolve(given as T))
    }
    const onExit = (code: number | null) =>
      settle(() => reject(new Error(`A process ended (${code}) before it said "${kind}"`)))
    child.on('message', onMessage).once('exit', onExit)
  })
}

/** Ends a process: our own exit when their channel closes, others on a signal. */
export async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  if (child.connected) child.disconnect()
  else child.kill('SIGTERM')
  await exited
}

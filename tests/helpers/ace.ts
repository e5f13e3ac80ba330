import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { projectPath } from '#core/process/root'

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Starts a command on the tests' database. */
export function startAce(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['ace.js', ...args], {
    cwd: projectPath(),
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const finished = Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit').finally(() => running.delete(child)),
  ]).then(([stdout, stderr, [code, signal]]) => ({ stdout, stderr, code, signal }))
  return { child, finished, output: () => output }
}

export const ace = (...args: string[]) => startAce(args).finished

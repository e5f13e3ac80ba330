import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectPath } from '#core/process/root'
import { eventually } from '#tests/helpers/eventually'
import { freePort } from '#tests/world/free_port'

/** Runs what `npm start` or `npm run dev` runs once everything is installed, until it is ready. */
export async function startScript(
  script: string,
  settings: Record<string, string> = {},
  cwd = projectPath()
) {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-start-'))
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    DEVELOPMENT_FOLDER: folder,
    DEVELOPMENT_IDP_PORT: String(await freePort()),
    DEVELOPMENT_SMTP_PORT: String(await freePort()),
    DEVELOPMENT_MAILBOX_PORT: String(await freePort()),
    DEVELOPMENT_INBOX_PORT: String(await freePort()),
    SQLITE_PATH: join(folder, 'start.sqlite3'),
    APP_KEY: 'a-key-that-only-the-tests-know-of',
    INTERNAL_API_KEY: 'internal',
    WEBHOOK_SECRET: 'webhook',
    ...settings,
  }
  const node = (...args: string[]) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stderr.resume()
    return child
  }
  const child = node('--import=@poppinss/ts-exec', script)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const isReady = async () => {
    const health = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null)
    return health?.status === 200
  }
  await eventually('the service is ready', isReady, 60_000)
  /** Runs an Ace command in another process, as a developer does beside `npm start`. */
  const ace = async (...args: string[]) => {
    const command = node('ace.js', ...args)
    const [stdout, [code]] = await Promise.all([text(command.stdout), once(command, 'exit')])
    return { code: code as number, stdout }
  }
  return { output, isReady, ace, stop: () => stop(child) }
}

async function stop(child: ChildProcess) {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await exited
  return code
}

/** The printed curl line as the request it makes. */
export function printedRequest(output: string) {
  const line = output.split('\n').find((printed) => printed.startsWith('curl '))!
  const [url] = /http\S+/.exec(line)!
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const [, body] = /-d '([^']+)'/.exec(line)!
  return new Request(url, { method: 'POST', headers: Object.fromEntries(headers), body })
}

export function printedUrls(output: string) {
  const [, service] = /API +(\S+)/.exec(output)!
  const [, mailbox] = /Mailbox +(\S+)/.exec(output)!
  const [, provider] = /Identity provider +(\S+)/.exec(output)!
  const [, inbox] = /Inbox in a page +(\S+)/.exec(output)!
  return { service, inbox, mailbox: mailbox.replace(/\/$/, ''), provider }
}

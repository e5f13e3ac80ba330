import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { serviceUrl } from '#tests/helpers/send'
import { COMMAND, aMachine } from '#tests/helpers/command_line'
import { readProjectFile } from '#tests/helpers/documents'
import { eventually } from '#tests/helpers/eventually'
import { aSuperAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { freePort } from '#tests/world/free_port'
import { issuer } from '#tests/world/prepare'

const PAGE = 'docs/tutorials/first-application.md'
/** These run in terminals of their own, until they are stopped. */
const LASTING = /^(?:npm start|.*node shop\.mjs)$/m
const END_OF_STEP = '--- end of step ---'

interface Step {
  command: string
  /** What the page says the command prints. */
  shown?: string
}

/** Fenced blocks. One that is not `sh` or `js` is what the block before it prints. */
function blocks(page: string) {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, content]) => ({
    language,
    content,
  }))
}

function stepsOf(page: string): Step[] {
  const steps: Step[] = []
  for (const { language, content } of blocks(page)) {
    if (language === 'sh') steps.push({ command: content })
    else if (language !== 'js') steps.at(-1)!.shown = content
  }
  return steps.filter(({ command }) => !LASTING.test(command))
}

/** Starts the program that the page prints, inside the project, where it finds the client. */
async function startShop(code: string) {
  const scratch = join(projectPath(), 'tmp')
  await mkdir(scratch, { recursive: true })
  const folder = await mkdtemp(join(scratch, 'shop-'))
  await writeFile(join(folder, 'shop.mjs'), code)
  const port = await freePort()
  const shop = spawn(process.execPath, [join(folder, 'shop.mjs')], {
    env: { ...process.env, CONCIERGE_URL: serviceUrl(), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  shop.stdout.on('data', (chunk) => (output += chunk))
  await eventually('the shop listens', () => output.includes('The shop is at'))
  const stop = async () => {
    shop.kill()
    await rm(folder, { recursive: true })
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

/** Runs the commands in one shell, and returns what each step prints. */
async function runInShell(steps: Step[], prelude: string) {
  const script = steps.map(({ command }) => `${command}echo; echo '${END_OF_STEP}'`).join('\n')
  const { folder } = aMachine()
  const shell = spawn('bash', ['-c', `${prelude}\n${script}`], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (await text(shell.stdout)).split(END_OF_STEP).map((output) => output.trim())
}

/** The page has other ids and times. */
function withoutChance(output: string): string {
  return output
    .trim()
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"id":\d+/g, '"id":<id>')
}

test.group('The tutorial of the first application', () => {
  test('prints what its commands print', async ({ assert, cleanup }) => {
    const app = uniqueCode('shop')
    const ada = await aSuperAdmin(cleanup)
    const alan = uniqueEmail('alan')
    const page = readProjectFile(PAGE)
    const inOurWorld = (content: string) =>
      content
        .replace(/\bshop\b(?!\.mjs)/g, app)
        .replaceAll('ada@acme.example', ada)
        .replaceAll('alan@acme.example', alan)
    const program = blocks(page).find(({ language }) => language === 'js')!.content
    const shop = await startShop(program.replaceAll("'shop'", `'${app}'`))
    cleanup(() => shop.stop())

    const steps = stepsOf(page).map(({ command, shown }) => ({
      command: inOurWorld(command)
        .replaceAll('http://127.0.0.1:3333', serviceUrl())
        .replaceAll('http://127.0.0.1:4000', shop.url),
      shown: shown && inOurWorld(shown),
    }))
    const printed = await runInShell(
      steps,
      `
        npx() { shift; '${process.execPath}' '${COMMAND}' "$@"; }
        npm() { [ "$5" = '${ada}' ] && echo '${await issuer.token(ada)}' || echo '${await issuer.token(alan)}'; }
      `
    )

    assert.isAbove(steps.length, 15)
    for (const [position, { command, shown }] of steps.entries()) {
      if (shown === undefined) continue
      assert.equal(withoutChance(printed[position]), withoutChance(shown), command)
    }
  }).timeout(60_000)
})

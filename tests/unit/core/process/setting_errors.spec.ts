import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'

const PRINT = `
  const { default: env } = await import('#start/env')
  console.log(JSON.stringify([env.get('HOST'), env.get('PORT'), process.env.HOST, process.env.PORT]))
`

test.group('Settings', (group) => {
  let folder: string
  group.each.setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'concierge-env-'))
    return () => rm(folder, { recursive: true })
  })

  /** What a process with this `.env` and these variables reads: directly, and by the framework. */
  async function read(file: string, variables: Record<string, string> = {}) {
    await writeFile(join(folder, '.env'), file)
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import=@poppinss/ts-exec', '--input-type=module', '--eval', PRINT],
      {
        cwd: projectPath(),
        env: { ...process.env, HOST: undefined, PORT: undefined, ...variables, ENV_PATH: folder },
      }
    )
    return JSON.parse(stdout)
  }

  test('have defaults where nothing is said', async ({ assert }) => {
    assert.deepEqual(await read(''), ['127.0.0.1', 3333, '127.0.0.1', '3333'])
  })

  test('come from .env', async ({ assert }) => {
    const settings = await read('HOST=127.0.0.2\nPORT=4444\n')
    assert.deepEqual(settings, ['127.0.0.2', 4444, '127.0.0.2', '4444'])
  })

  test('come from the environment before .env', async ({ assert }) => {
    const settings = await read('PORT=4444\n', { PORT: '5555' })
    assert.deepEqual(settings, ['127.0.0.1', 5555, '127.0.0.1', '5555'])
  })
})

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { parse } from 'yaml'
import { projectPath } from '#core/process/root'
import { anApplication } from '#tests/helpers/people'
import { aMachine, operator } from '#tests/helpers/command_line'
import { eventually } from '#tests/helpers/eventually'
import { allCommands } from './program.ts'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

const machine = aMachine()

/** The ids of the entries that were shown, one per line. */
const idsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id as number)

test.group('concierge, output', () => {
  test('prints the same data as table, JSON and YAML, and nothing else on stdout', async ({
    assert,
  }) => {
    const { code, name } = await anApplication()
    const env = await operator()
    const show = (format: string) => machine.run(['apps', 'show', code, '-o', format], { env })
    const [table, json, yaml] = await Promise.all(['table', 'json', 'yaml'].map(show))
    const data = JSON.parse(json.stdout)
    assert.include(data, { code, name })
    assert.deepEqual(parse(yaml.stdout), data)
    assert.match(table.stdout, new RegExp(`^code +${code}$`, 'm'))
    assert.notInclude(table.stdout, '\u001b')
    assert.equal(json.stderr + yaml.stderr + table.stderr, '')
  }).timeout(120_000)

  test('an empty string removes a value', async ({ assert }) => {
    const { code } = await anApplication()
    const env = await operator()
    const update = async (description: string) => {
      const args = ['apps', 'update', code, '--description', description, '-o', 'json']
      return JSON.parse((await machine.run(args, { env })).stdout).description
    }
    assert.equal(await update('Sells things'), 'Sells things')
    assert.isNull(await update(''))
  }).timeout(120_000)

  test('text from the service cannot control the terminal', async ({ assert, cleanup }) => {
    const evil = '\u001b[2J\u001b]0;owned\u0007\u202egnp'
    const world = await new TestHttpServer((request, response) => {
      if (request.url?.endsWith('/applications')) {
        return sendJson(response, { success: true, data: [{ code: 'x', name: evil }] })
      }
      if (request.url?.endsWith('/profile/me')) {
        return sendJson(response, { success: true, data: { email: evil } })
      }
      const problem = { code: 'APPLICATION_NOT_FOUND', detail: evil, details: {}, requestId: evil }
      sendJson(response, problem, 404)
    }).start()
    cleanup(() => world.stop())
    const url = ['--url', world.url]
    const list = await machine.run(['apps', 'list', ...url])
    const refused = await machine.run(['apps', 'show', 'x', ...url])
    const onTerminal = {
      env: { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' },
    }
    const json = await machine.run(['apps', 'list', '-o', 'json', ...url], onTerminal)
    const yaml = await machine.run(['apps', 'list', '-o', 'yaml', ...url], onTerminal)
    assert.equal(JSON.parse(json.stdout)[0].name, evil)
    const signedIn = await machine.run(['login', '--token', '-', ...url], { input: 'token' })
    for (const text of [list.stdout, refused.stderr, json.stdout, yaml.stdout, signedIn.stderr]) {
      assert.include(text, 'owned')
      assert.notMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    }
  }).timeout(120_000)

  test('a response without a decision is no decision', async ({ assert, cleanup }) => {
    let data: unknown
    const world = await new TestHttpServer((_, response) => {
      sendJson(response, { success: true, data })
    }).start()
    cleanup(() => world.stop())
    for (data of [{ allowed: 'false' }, { allowed: 1 }, {}, null]) {
      for (const options of [[], ['--explain']]) {
        const args = ['check', 'alan@tests.example', 'shop', 'orders', ...options]
        const { code, stdout } = await machine.run([...args, '--url', world.url])
        assert.deepEqual([code, stdout], [3, ''])
      }
    }
  }).timeout(120_000)

  test('each outcome has an exit code and at most one line of error', async ({ assert }) => {
    const env = await operator()
    const { code: app } = await anApplication()
    const cases: [expected: number, args: string[]][] = [
      [0, ['apps', 'show', app]],
      [1, ['apps', 'show', `${app}-gone`]],
      [2, ['check', 'nobody@tests.example', app, 'anything']],
      [3, ['apps', 'list', '--url', 'http://127.0.0.1:9']],
      [64, ['apps', 'show']],
      [64, ['apps', 'show', app, '--frobnicate']],
      [64, ['apps', 'delete', app]],
      [64, ['broadcast', 'status', app, 'first']],
      [64, ['apps', 'list', '--url', 'http://u:hunter2@127.0.0.1']],
      [64, ['apps', 'list', '--token', 'hunter2\nx']],
    ]
    for (const [expected, args] of cases) {
      const { code, stderr } = await machine.run(args, { env })
      assert.equal(code, expected, args.join(' '))
      assert.notMatch(stderr, /\bat .+:\d+:\d+|node:internal|hunter2/, args.join(' '))
      assert.isAtMost(stderr.trim().split('\n').length, 2, stderr)
      if (expected !== 0 && expected !== 2) assert.match(stderr, /^error: /)
    }
    assert.equal((await machine.run(['apps', 'show', app], { env })).code, 0, 'nothing was deleted')
  }).timeout(120_000)

  test('a check says that an application or permission is unknown', async ({ assert }) => {
    const env = await operator()
    const { code: app } = await anApplication()
    const cases: [args: string[], warning: string][] = [
      [[app, 'ordres'], `warning: ${app} has no permission ordres\n`],
      [['no-such-app', 'orders'], 'warning: there is no application no-such-app\n'],
    ]
    for (const [names, warning] of cases) {
      const args = ['check', 'nobody@tests.example', ...names]
      const plain = await machine.run(args, { env })
      assert.deepEqual(plain, { code: 2, stdout: 'denied\n', stderr: warning })
      const explained = await machine.run([...args, '--explain'], { env })
      assert.equal(explained.stderr, warning)
      assert.notInclude(explained.stdout, 'administrator of')
      const asJson = await machine.run([...args, '--explain', '--output', 'json'], { env })
      assert.isString(JSON.parse(asJson.stdout).unknown)
    }
  }).timeout(120_000)

  test('an error contains its code and request id', async ({ assert }) => {
    const { stderr } = await machine.run(['apps', 'create', 'No Slug'], { env: await operator() })
    assert.match(stderr, /^error: VALIDATION_ERROR: .+ \(400, request [\w-]+\)\n$/)
  })

  test('an error contains each message and detail once', async ({ assert }) => {
    const env = await operator()
    const { code: app } = await anApplication()
    const cases: [args: string[], said: string][] = [
      [['apps', 'update', app, '--languages', 'en,xq'], '; unknown: xq (400'],
      [['notify', 'a@tests.example', app, 'generic', '--template', 'x'], '; available: none (400'],
      [['notify', 'a@tests.example', app, 'generic', '--retry-hours', '73'], 'retryHours must be'],
      [['notify', 'a@tests.example', app, 'generic', '--retry-hours', 'a day'], 'a whole number'],
    ]
    for (const [args, said] of cases) {
      assert.include((await machine.run(args, { env })).stderr, said)
    }
    const { stderr } = await machine.run(['users', 'show', 'nobody'], { env })
    assert.lengthOf([...stderr.matchAll(/must be an e-mail address/g)], 1, stderr)
  }).timeout(120_000)

  test('an incomplete response is an error', async ({ assert, cleanup }) => {
    const world = await new TestHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"success"', () => response.destroy())
    }).start()
    cleanup(() => world.stop())
    const { code, stderr } = await machine.run(['apps', 'list', '--url', world.url])
    assert.equal(code, 3, stderr)
    assert.include(stderr, 'could not be reached')
  }).timeout(120_000)

  test('following the log skips no entry, however many arrive together', async ({
    assert,
    cleanup,
  }) => {
    const entriesTo = (last: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: last - index }))
    const pages = ['first', 'second', 'third', 'fourth']
    let polls = 0
    const world = await new TestHttpServer((request, response) => {
      const query = new URL(request.url!, 'http://world').searchParams
      const page = Math.max(0, pages.indexOf(query.get('cursor') ?? ''))
      if (page === 0) polls++
      const next = new URLSearchParams({ cursor: pages[page + 1] })
      if (polls > 1) response.setHeader('link', `</log?${next}>; rel="next"`)
      const data = polls === 1 ? entriesTo(1, 1) : entriesTo(501 - 200 * page, 200)
      sendJson(response, { success: true, data: data.filter(({ id }) => id > 0) })
    }).start()
    cleanup(() => world.stop())
    const child = machine.start(['log', 'shop', '--follow', '-o', 'json', '--url', world.url])
    cleanup(() => void child.kill('SIGKILL'))
    let told = ''
    child.stdout!.on('data', (chunk) => (told += chunk))
    await eventually('it has polled twice', () => polls > 2, 30_000)
    assert.deepEqual(
      idsIn(told),
      Array.from({ length: 500 }, (_, index) => index + 2)
    )
    assert.notInclude(JSON.stringify(world.requests.map(({ url }) => url)), 'fourth')
  }).timeout(60_000)

  test('following the log shows entries that reach the wanted status late', async ({
    assert,
    cleanup,
  }) => {
    const states = [[5], [6, 5], [6, 5, 4], [6, 4]]
    let polls = 0
    const world = await new TestHttpServer((_, response) => {
      const ids = states[Math.min(polls++, states.length - 1)]
      sendJson(response, { success: true, data: ids.map((id) => ({ id })) })
    }).start()
    cleanup(() => world.stop())
    const filter = ['--status', 'failed', '-o', 'json']
    const child = machine.start(['log', 'shop', '--follow', ...filter, '--url', world.url])
    cleanup(() => void child.kill('SIGKILL'))
    let told = ''
    child.stdout!.on('data', (chunk) => (told += chunk))
    await eventually('it has seen all states', () => polls > 4, 30_000)
    assert.deepEqual(idsIn(told), [6, 4])
  }).timeout(60_000)

  test('reports a server that is not Concierge', async ({ assert, cleanup }) => {
    const world = await new TestHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
    }).start()
    cleanup(() => world.stop())
    for (const args of [
      ['apps', 'list'],
      ['policy', 'export', 'shop'],
      ['access-review', '--app', 'shop', '--format', 'csv'],
    ]) {
      const { code, stdout, stderr } = await machine.run([...args, '--url', world.url])
      assert.equal(code, 3)
      assert.include(stderr, 'not Concierge')
      assert.equal(stdout, '')
    }
  }).timeout(60_000)

  test('reports an empty response', async ({ assert, cleanup }) => {
    const world = await new TestHttpServer((_, response) => {
      response.writeHead(204).end()
    }).start()
    cleanup(() => world.stop())
    for (const args of [
      ['check', 'ada@tests.example', 'shop', 'export'],
      ['policy', 'export', 'shop'],
      ['access-review', '--app', 'shop', '--format', 'csv'],
      ['users', 'show', 'ada@tests.example'],
    ]) {
      const { code, stderr } = await machine.run([...args, '--url', world.url])
      assert.equal(code, 3, args.join(' '))
      assert.include(stderr, 'not Concierge')
    }
  }).timeout(60_000)

  test('reports a list that is none, and pages that repeat', async ({ assert, cleanup }) => {
    let body = ''
    let requests = 0
    const world = await new TestHttpServer((_, response) => {
      const link = `</api/users?cursor=${requests++ % 3}>; rel="next"`
      response.writeHead(200, { 'content-type': 'application/json', link }).end(body)
    }).start()
    cleanup(() => world.stop())
    for (body of ['null', '{}', '{"data":null}', '{"data":"xyz"}']) {
      const { code, stderr, stdout } = await machine.run(['users', 'list', '--url', world.url])
      assert.equal(code, 3, body)
      assert.include(stderr, 'not Concierge')
      assert.equal(stdout, '')
    }
    body = '{"data":[]}'
    requests = 0
    const { code, stderr } = await machine.run(['users', 'list', '--all', '--url', world.url])
    assert.equal(code, 3)
    assert.include(stderr, 'the same page again')
    assert.equal(requests, 4)
  }).timeout(60_000)

  test('the help of every command says what it does, and ends with examples', async ({
    assert,
  }) => {
    const commands = await allCommands()
    assert.isAbove(commands.length, 40)
    for (const command of commands) {
      const [before, examples] = command.help.split('\nExamples:\n')
      assert.include(before, `\n${command.summary}\n`, command.name)
      assert.include(before, '\nOptions:\n', command.name)
      for (const line of examples!.trimEnd().split('\n')) {
        assert.match(line, /^ {2}(?:\S.* )?concierge /, command.name)
      }
    }
  })

  test('npm installs the command', async ({ assert }) => {
    const bin = join(projectPath(), 'node_modules/.bin/concierge')
    assert.isTrue(lstatSync(bin).isSymbolicLink())
  })
})

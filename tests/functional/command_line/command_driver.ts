import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aMachine, operator } from '#tests/helpers/command_line'
import { type Operations, type Question, Refused } from './operations.ts'

export async function overCommandLine(): Promise<Operations> {
  const machine = aMachine()
  const env = await operator()

  const run = async (...args: string[]) => {
    const outcome = await machine.run([...args, '--output', 'json', '--yes'], { env })
    if (outcome.code === 0 || outcome.code === 2) {
      return outcome.stdout === '' ? undefined : JSON.parse(outcome.stdout)
    }
    const [, code = outcome.stderr] = /^error: ([A-Z_]+):/m.exec(outcome.stderr) ?? []
    throw new Refused(code)
  }
  const pairs = (data: Record<string, string>) =>
    Object.entries(data).flatMap(([name, value]) => ['--data', `${name}=${value}`])

  return {
    createApplication: (code, name) => run('apps', 'create', code, '--name', name),
    showApplication: (code) => run('apps', 'show', code),
    deleteApplication: (code) => run('apps', 'delete', code),
    createPermission: (app, code, type) => run('permissions', 'create', app, code, '--type', type),
    createRole: (app, code) => run('roles', 'create', app, code),
    async setRolePermissions(app, role, levels) {
      const grants = Object.entries(levels).map(([code, level]) => `${code}=${level}`)
      await run('roles', 'set-permissions', app, role, ...grants)
    },
    giveRole: (email, app, role) => run('grants', 'add', email, app, role),
    deny: (email, app, permission, { type, id }) =>
      run('grants', 'deny', email, app, permission, '--resource', `${type}:${id}`),
    check: async (question) => (await run('check', ...words(question))).allowed,
    explain: (question) => run('check', ...words(question), '--explain'),
    async saveTexts(app, { type, template, locale, subject, body }) {
      const folder = join(machine.folder, 'texts')
      await run('templates', 'pull', app, folder)
      const own = join(folder, type, template)
      mkdirSync(own)
      writeFileSync(
        join(own, 'template.yaml'),
        `name: ${template}\ndescription: null\nvariables: []`
      )
      writeFileSync(join(own, `${locale}.subject.txt`), `${subject}\n`)
      writeFileSync(join(own, `${locale}.html`), body)
      await run('templates', 'push', app, folder)
    },
    preview: (app, { type, template, locale }, data) =>
      run('templates', 'preview', app, type, template, locale, ...pairs(data)),
    notify: (email, app, type, data) => run('notify', email, app, type, ...pairs(data)),
    log: (app) => run('log', 'list', app),
    clearCaches: () => run('cache', 'clear'),
  }
}

function words({ email, app, permission, level, resource }: Question) {
  return [
    email,
    app,
    permission,
    ...(level ? ['--level', level] : []),
    ...(resource ? ['--resource', `${resource.type}:${resource.id}`] : []),
  ]
}

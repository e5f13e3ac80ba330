import type { Command } from 'commander'
import { command, group, textOrNull, booleanValue } from '../command.ts'
import { collect } from '../paging.ts'
import { unwrapData, withSession } from '../session.ts'

const PATH = '/api/admin/languages'
const ONE = '/api/admin/languages/{code}'

interface Coverage {
  appCode: string
  type: string
  templates: number
  languages: { code: string; versions: number }[]
}

const rowOf = ({ appCode, type, templates, languages: counted }: Coverage) => ({
  appCode,
  type,
  templates,
  languages: counted.map(({ code, versions }) => `${code}: ${versions}`),
})

interface Fields {
  name?: string
  fallback?: string
  enabled?: boolean
}

export function languages(program: Command): void {
  const parent = group(program, 'languages', 'Manage languages')

  command(parent, 'list', 'List languages', ['concierge languages list']).action(
    withSession(async (session) => session.print(await unwrapData(session.api.GET(PATH))))
  )

  command(parent, 'coverage [app]', 'Count language versions per notification type', [
    'concierge languages coverage shop',
  ]).action(
    withSession(async (session, appCode: string | undefined) => {
      const own = appCode === undefined ? {} : { appCode }
      const types = await collect({ limit: Infinity, all: true }, (page) =>
        session.api.GET(`${PATH}/coverage`, { params: { query: { ...own, ...page } } })
      )
      session.print(types.map(rowOf))
    })
  )

  withFields(
    command(parent, 'create <code>', 'Create a language', [
      'concierge languages create sk --name Slovak --fallback cs',
    ])
  ).action(
    withSession(async (session, code: string, { name = code, ...fields }: Fields) => {
      session.print(
        await unwrapData(session.api.POST(PATH, { body: { code, name, ...bodyOf(fields) } }))
      )
    })
  )

  withFields(
    command(parent, 'update <code>', 'Update a language', [
      "concierge languages update sk --fallback ''",
    ])
  ).action(
    withSession(async (session, code: string, fields: Fields) => {
      const params = { path: { code } }
      session.print(await unwrapData(session.api.PUT(ONE, { params, body: bodyOf(fields) })))
    })
  )

  command(parent, 'delete <code>', 'Delete a language', [
    'concierge languages delete sk --yes',
  ]).action(
    withSession(async (session, code: string) => {
      await session.confirm(`Delete language ${code}?`)
      await session.finish(session.api.DELETE(ONE, { params: { path: { code } } }))
    })
  )
}

function withFields(target: Command) {
  return target
    .option('--name <text>', 'display name')
    .option('--fallback <code>', 'fallback language; an empty string removes it')
    .option('--enabled <boolean>', 'whether users can choose it', booleanValue)
}

function bodyOf({ fallback, ...fields }: Fields) {
  return { ...fields, ...(fallback !== undefined && { fallback: textOrNull(fallback) }) }
}

import type { Command } from 'commander'
import { command, group, textOrNull, truth } from '../command.ts'
import { data, withSession } from '../session.ts'

const PATH = '/api/admin/languages'
const ONE = '/api/admin/languages/{code}'

interface Fields {
  name?: string
  fallback?: string
  enabled?: boolean
}

export function languages(program: Command): void {
  const parent = group(program, 'languages', 'Languages of the platform')

  command(parent, 'list', 'List them', ['concierge languages list']).action(
    withSession(async (session) => session.print(await data(session.api.GET(PATH))))
  )

  withFields(
    command(parent, 'create <code>', 'Create one', [
      'concierge languages create sk --name Slovak --fallback cs',
    ])
  ).action(
    withSession(async (session, code: string, { name = code, ...fields }: Fields) => {
      session.print(await data(session.api.POST(PATH, { body: { code, name, ...bodyOf(fields) } })))
    })
  )

  withFields(
    command(parent, 'update <code>', 'Change what you name', [
      "concierge languages update sk --fallback ''",
    ])
  ).action(
    withSession(async (session, code: string, fields: Fields) => {
      const params = { path: { code } }
      session.print(await data(session.api.PUT(ONE, { params, body: bodyOf(fields) })))
    })
  )

  command(parent, 'delete <code>', 'Delete one', ['concierge languages delete sk --yes']).action(
    withSession(async (session, code: string) => {
      await session.confirm(`Delete language ${code}?`)
      await session.done(session.api.DELETE(ONE, { params: { path: { code } } }))
    })
  )
}

function withFields(target: Command) {
  return target
    .option('--name <text>', 'name')
    .option('--fallback <code>', 'language instead; an empty text takes it away')
    .option('--enabled <boolean>', 'whether people can choose it', truth)
}

function bodyOf({ fallback, ...fields }: Fields) {
  return { ...fields, ...(fallback !== undefined && { fallback: textOrNull(fallback) }) }
}

import type { Command } from 'commander'
import { appendValue, command, group } from '../command.ts'
import { notFound } from '../errors.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

const PATH = '/api/applications/{appCode}/instances'
const ONE = '/api/applications/{appCode}/instances/{id}'
const COLUMNS = ['id', 'name', 'baseUrl', 'callbackUrls', 'postLogoutUrls', 'approved']
const LIST = 'repeatable; a single empty string removes all'

interface Fields {
  baseUrl?: string
  callback?: string[]
  postLogout?: string[]
}

export function instances(program: Command): void {
  const parent = group(program, 'instances', 'Manage the instances (deployments) of applications')

  command(parent, 'list <app>', 'List instances', ['concierge instances list shop']).action(
    withSession(async (session, appCode: string) => {
      session.print(await listOf(session, appCode), COLUMNS)
    })
  )

  withUrls(
    command(parent, 'create <app> <name>', 'Create an instance', [
      'concierge instances create shop Production --base-url https://shop.example --callback https://shop.example/callback',
      '',
      'Unless a super admin creates it, its URLs are used only after they are approved.',
    ]).requiredOption('--base-url <url>', 'base URL')
  ).action(
    withSession(async (session, appCode: string, name: string, fields: Fields) => {
      const body = { name, baseUrl: fields.baseUrl!, ...bodyOf(fields) }
      session.print(
        await unwrapData(session.api.POST(PATH, { params: { path: { appCode } }, body }))
      )
    })
  )

  withUrls(
    command(parent, 'update <app> <name>', 'Update an instance', [
      'concierge instances update shop Production --callback https://shop.example/signed-in',
      "concierge instances update shop Production --post-logout ''   # removes all",
      '',
      'Unless a super admin changes them, the URLs need approval again.',
    ]).option('--base-url <url>', 'base URL')
  ).action(
    withSession(async (session, appCode: string, name: string, fields: Fields) => {
      const params = { path: { appCode, id: (await find(session, appCode, name)).id } }
      const body = {
        ...(fields.baseUrl !== undefined && { baseUrl: fields.baseUrl }),
        ...bodyOf(fields),
      }
      session.print(await unwrapData(session.api.PUT(ONE, { params, body })))
    })
  )

  command(parent, 'approve <app> <name>', 'Approve the URLs of an instance', [
    'concierge instances approve shop Production',
    '',
    'Shows the URLs and asks for confirmation. Requires a super admin.',
  ]).action(
    withSession(async (session, appCode: string, name: string) => {
      const { id, baseUrl, callbackUrls, postLogoutUrls } = await find(session, appCode, name)
      const urls = [baseUrl, ...callbackUrls, ...postLogoutUrls].join(', ')
      await session.confirm(`Approve ${urls} for ${appCode}?`)
      const params = { path: { appCode, id } }
      const body = { baseUrl, callbackUrls, postLogoutUrls }
      session.print(await unwrapData(session.api.POST(`${ONE}/approve`, { params, body })))
    })
  )

  command(parent, 'sync <app>', 'Write callback URLs to the identity provider', [
    'concierge instances sync shop',
  ]).action(
    withSession(async (session, appCode: string) => {
      const path = '/api/applications/{appCode}/idp/sync'
      session.print(await unwrapData(session.api.POST(path, { params: { path: { appCode } } })))
    })
  )

  command(parent, 'sync-state <app>', 'Show which callback URLs the identity provider has', [
    'concierge instances sync-state shop',
  ]).action(
    withSession(async (session, appCode: string) => {
      const path = '/api/applications/{appCode}/idp/sync'
      const params = { path: { appCode } }
      const state = await unwrapData(session.api.GET(path, { params }))
      if (session.options.output !== 'table') return session.print(state)
      session.print(
        state.clients.map(({ problem, ...client }) => ({ ...client, problem: problem?.detail })),
        ['clientName', 'organisationId', 'state', 'adds', 'removes', 'problem']
      )
    })
  )

  command(parent, 'delete <app> <name>', 'Delete an instance', [
    'concierge instances delete shop Staging --yes',
  ]).action(
    withSession(async (session, appCode: string, name: string) => {
      const { id } = await find(session, appCode, name)
      await session.confirm(`Delete instance ${name} of ${appCode}?`)
      await session.finish(session.api.DELETE(ONE, { params: { path: { appCode, id } } }))
    })
  )
}

function withUrls(target: Command) {
  return target
    .option('--callback <url>', `allowed callback URL; ${LIST}`, appendValue)
    .option('--post-logout <url>', `allowed URL after a logout; ${LIST}`, appendValue)
}

function bodyOf({ callback, postLogout }: Fields) {
  return {
    ...(callback && { callbackUrls: callback.filter(isNotEmpty) }),
    ...(postLogout && { postLogoutUrls: postLogout.filter(isNotEmpty) }),
  }
}

const isNotEmpty = (url: string) => url !== ''

function listOf({ api }: Session, appCode: string) {
  return unwrapData(api.GET(PATH, { params: { path: { appCode } } }))
}

/** @throws Failure */
async function find(session: Session, appCode: string, name: string) {
  const found = (await listOf(session, appCode)).find((each) => each.name === name)
  if (found) return found
  throw notFound('INSTANCE_NOT_FOUND', `${appCode} has no instance ${name}`)
}

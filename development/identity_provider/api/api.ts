import type { IncomingHttpHeaders } from 'node:http'
import { NEW_PASSWORD_PATH } from '../paths.ts'
import { sendMail } from '../send_mail.ts'
import { branding } from './branding.ts'
import { emailProviders } from './email_providers.ts'
import type { ApiVersion, Call, Operation, UploadedFile } from './operation.ts'
import { organisations } from './organisations.ts'
import { projects } from './projects.ts'
import { Refused, invalid, notFound, unauthenticated, wrongMethod } from './refusal.ts'
import { requireValid } from './schema.ts'
import type { State } from './state.ts'
import { users } from './users.ts'

const OPERATIONS: Record<string, Operation> = {
  ...users,
  ...organisations,
  ...branding,
  ...projects,
  ...emailProviders,
}

const PREFIXES = ['/v2/', '/admin/v1/', '/management/v1/', '/assets/v1/']

export interface ApiRequest {
  method?: string
  url?: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface ApiResponse {
  status: number
  body: unknown
}

export interface NamedOperation extends Operation {
  name: string
}

/**
 * A strict stand-in for everything that the service calls of the identity provider's API
 * (zitadel.md#common-rules). It refuses whatever is not in that contract.
 */
export abstract class IdentityProviderApi {
  /** The organisation of the service account. */
  abstract readonly ownOrganisation: string

  /** The address of the pages to which its mails lead. */
  abstract readonly origin: string

  readonly version: ApiVersion = { returnsKeyOnAdding: true, signs: true, clearsNames: false }

  /** Whether the path belongs to the API rather than to OpenID Connect or the pages. */
  static hasPath(path: string) {
    return PREFIXES.some((prefix) => path.startsWith(prefix))
  }

  static operation({ method, url = '' }: ApiRequest): NamedOperation | undefined {
    const found = at(url).find(([, operation]) => operation.method === method)
    return found && { name: found[0], ...found[1] }
  }

  async respond(request: ApiRequest): Promise<ApiResponse> {
    try {
      return await this.#run(request)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { status, code, message } = error.refusal
      return { status, body: { code, message, details: [] } }
    }
  }

  protected abstract accepts(authorization: string | undefined): boolean

  /** The state that an operation reads and changes. */
  protected abstract read(operation: NamedOperation): State

  /** Keeps what an operation has changed. */
  protected abstract save(state: State): void

  /** Runs before an operation. @throws Refused */
  protected async admit(_operation: NamedOperation): Promise<void> {}

  async #run(request: ApiRequest): Promise<ApiResponse> {
    const { headers, url = '' } = request
    if (!this.accepts(headers.authorization)) throw unauthenticated('auth header missing')
    const operation = IdentityProviderApi.operation(request)
    if (!operation)
      throw at(url).length > 0 ? wrongMethod('Method Not Allowed') : notFound('Not Found')
    const [path, query] = url.split('?')
    if (query) throw invalid('unknown query parameters')
    const ids = decodeIds(operation.path.exec(path)!)
    const input = await readInput(operation, request)
    await this.admit(operation)
    // Nothing can happen between reading and saving.
    const state = this.read(operation)
    const orgId = String(headers['x-zitadel-orgid'] ?? this.ownOrganisation)
    const { version } = this
    const send = (mail: object) => void sendMail(state, mail)
    const passwordPage = new URL(NEW_PASSWORD_PATH, this.origin)
    const call = { state, ids, orgId, version, send, passwordPage, ...input }
    const body = operation.run(call as Call)
    if (operation.writes) this.save(state)
    return { status: operation.status ?? 200, body }
  }
}

const at = (url: string) =>
  Object.entries(OPERATIONS).filter(([, { path }]) => path.test(url.split('?')[0]))

function decodeIds(path: RegExpExecArray) {
  try {
    return path.slice(1).map(decodeURIComponent)
  } catch {
    throw invalid('malformed path')
  }
}

async function readInput(
  { takes }: Operation,
  { headers, body }: ApiRequest
): Promise<{ body?: unknown; file?: UploadedFile }> {
  if (takes === 'file') return { file: await readFile(body, headers['content-type'] ?? '') }
  if (takes === undefined) {
    if (body.length > 0) throw invalid('unexpected body')
    return {}
  }
  if (headers['content-type'] !== 'application/json') throw invalid('not application/json')
  const parsed = parseJson(body)
  requireValid(parsed, takes)
  return { body: parsed }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw invalid('not JSON')
  }
}

async function readFile(body: Buffer, contentType: string): Promise<UploadedFile> {
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => null)
  const file = form?.get('file')
  if (!(file instanceof File)) throw invalid('no file')
  return { contentType: file.type, bytes: file.size }
}

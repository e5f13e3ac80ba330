import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HttpContext } from '@adonisjs/core/http'
import { type Coding, preferredCoding } from '#core/http/content_coding'

const compress: Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  // A higher quality saves a few per cent and takes ten times as long.
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/** A large text that does not change. It is compressed on first use, off the event loop. */
export class StaticContent {
  readonly #load: () => Promise<string>
  #plain?: Promise<{ bytes: Buffer; hash: string }>
  readonly #compressed = new Map<Coding, Promise<Buffer>>()

  constructor(load: () => Promise<string>) {
    this.#load = load
  }

  async send({ request, response }: HttpContext, contentType: string, cacheControl: string) {
    const coding = preferredCoding(request.header('accept-encoding'))
    this.#plain ??= this.#read().catch((error: unknown) => {
      // The next request tries again.
      this.#plain = undefined
      throw error
    })
    const { bytes, hash } = await this.#plain
    response
      .header('cache-control', cacheControl)
      .header('content-type', contentType)
      .header('etag', `"${hash}-${coding}"`)
      .header('vary', [response.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '))
    if (response.fresh()) return response.status(304).send(null)
    if (coding === 'identity') return response.send(bytes)
    return response.header('content-encoding', coding).send(await this.#compress(coding, bytes))
  }

  async #read() {
    const bytes = Buffer.from(await this.#load())
    return { bytes, hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 16) }
  }

  #compress(coding: Exclude<Coding, 'identity'>, bytes: Buffer): Promise<Buffer> {
    const cached = this.#compressed.get(coding)
    if (cached) return cached
    const compressing = compress[coding](bytes)
    this.#compressed.set(coding, compressing)
    return compressing
  }
}

import { createHmac, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type JWK_RSA_Private,
  type JWK_RSA_Public,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
} from 'jose'

export const ALGORITHM = 'RS256'

export interface SigningKey {
  kid: string
  privateJwk: JWK_RSA_Private
  publicJwk: JWK_RSA_Public
}

/**
 * Creates the key if it is missing.
 * @throws Error if the file does not contain an RSA key
 */
export async function loadSigningKey(keysFile: string): Promise<SigningKey> {
  const text = (await readIfExists(keysFile)) ?? (await createKey(keysFile))
  const { kid, kty, n, e, d, ...rest } = parse(text)
  if (kty !== 'RSA' || !kid || !n || !e || !d) {
    throw new Error(`${keysFile} contains no RSA signing key. Delete it to create a new one`)
  }
  const publicJwk = { kty, kid, alg: ALGORITHM, use: 'sig', n, e }
  return { kid, privateJwk: { ...rest, ...publicJwk, d } as JWK_RSA_Private, publicJwk }
}

/** Derived from the signing key, so that cookies survive restarts. */
export function cookieSecret({ privateJwk }: SigningKey): string {
  return createHmac('sha256', privateJwk.d).update('login cookies').digest('base64url')
}

function parse(text: string): Partial<JWK_RSA_Private> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

async function readIfExists(file: string) {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function createKey(keysFile: string) {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  await mkdir(dirname(keysFile), { recursive: true, mode: 0o700 })
  // Linking is atomic, so two processes that start at once agree on one key.
  const draft = `${keysFile}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify({ kid, ...jwk }, null, 2)}\n`, { mode: 0o600 })
  try {
    await link(draft, keysFile)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(keysFile, 'utf8')
}

import { createPublicKey } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

/** Verifies a mail with the published keys of the domains. */
export async function verifyDkim(raw: Buffer, published: Record<string, string>) {
  const resolver = async (name: string) => {
    const pem = published[name]
    if (!pem) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    const der = createPublicKey(pem).export({ type: 'spki', format: 'der' })
    return [[`v=DKIM1; k=rsa; p=${der.toString('base64')}`]]
  }
  const { results } = await dkimVerify(raw, { resolver })
  return results.map(({ status, signingDomain, signingHeaders }) => ({
    result: status.result,
    domain: signingDomain,
    headers:
      signingHeaders?.keys
        .toLowerCase()
        .split(':')
        .map((name) => name.trim()) ?? [],
  }))
}

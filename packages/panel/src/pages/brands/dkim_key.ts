const LINE = /.{1,64}/g

/** A new RSA key for DKIM, as PEM. It leaves the browser only when the form is saved. */
export async function newDkimKey(): Promise<string> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2_048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const bytes = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
  const base64 = btoa(String.fromCharCode(...bytes))
  const lines = base64.match(LINE) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}

/** Browsers make keys only on https, and on this machine. */
export const canMakeKeys = () => 'subtle' in crypto

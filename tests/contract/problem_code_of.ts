import type { Variation } from '#tests/contract/provocations'
import type { Target } from '#tests/contract/targets'
import { serviceUrl } from '#tests/helpers/send'
import { readTextError } from '#tests/helpers/text_errors'
import { signatureOf } from '#tests/helpers/signature'

/** Sends a valid request with one variation, and returns the code of the problem, if any. */
export async function problemCodeOf(
  { method, operation, scenes: [scene], credentials }: Target,
  { path, headers, body }: Variation = {},
  url = serviceUrl()
): Promise<string | undefined> {
  const isReading = method === 'GET'
  const query = isReading && scene.given ? `?${new URLSearchParams({ ...scene.given })}` : ''
  const text = isReading ? undefined : (body ?? JSON.stringify(scene.given))
  const isSigned = operation.security.some((one) => 'providerSignature' in one)
  const response = await fetch(url + (path ?? scene.path + query), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(isSigned && { 'idp-signature': signatureOf(text ?? '') }),
      // With a token, the cookie is ignored.
      ...(!headers?.cookie && credentials),
      ...headers,
    },
    body: text,
    redirect: 'manual',
  })
  const type = response.headers.get('content-type')
  if (type?.startsWith('text/plain')) return readTextError(type, await response.text())?.code
  const isProblem = type?.startsWith('application/problem+json')
  if (isProblem) return ((await response.json()) as { code: string }).code
  await response.body?.cancel() // A stream would not end.
  return undefined
}

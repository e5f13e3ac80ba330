/**
 * The code and message of an error of the AuthZEN endpoints, which is text (authzen.md#errors). The
 * message of a validation error begins with the field.
 */
export function readTextError(contentType: string | null, text: string) {
  if (!contentType?.startsWith('text/plain')) return undefined
  const [, code, detail] = /^([A-Z][A-Z0-9_]*): (.+)$/.exec(text) ?? []
  return code === undefined ? undefined : { code, detail, field: detail.split(' ', 1)[0] }
}

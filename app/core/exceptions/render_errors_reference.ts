import { loadProblems } from '#core/exceptions/load_problems'
import { problemKinds } from '#core/exceptions/problem'

const INTRODUCTION = `# Errors

All endpoints report errors as \`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "/docs/errors/ROLE_NOT_FOUND",
  "title": "Role not found",
  "status": 404,
  "detail": "Role not found",
  "code": "ROLE_NOT_FOUND",
  "details": {},
  "requestId": "0f0c6a4e-2f6b-4f5e-9d0b-0d6f0b8a1c11"
}
\`\`\`

Decide by \`code\`: codes are stable, texts may change. \`details\` contains machine-readable facts, or \`{}\` if there are
none; \`VALIDATION_ERROR\` lists \`details.errors\` as \`{field, rule, message, meta}\`. \`requestId\` is also in the
\`X-Request-Id\` header and in the service's log. A 401 response has a \`WWW-Authenticate\` header, a 405 \`Allow\`, and a
429 or 503 \`Retry-After\`.

Generated from the code by \`npm run ace -- errors:reference\`.

| Status | Code | Meaning |
|---|---|---|
`

export async function renderErrorsReference(): Promise<string> {
  await loadProblems()
  const rows = [...problemKinds.values()]
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
    .map(({ status, code, title }) => `| ${status} | \`${code}\` | ${title} |\n`)
  return INTRODUCTION + rows.join('')
}

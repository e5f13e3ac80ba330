import { unwrap } from '@concierge/client'
import { requireNewFile, writePrivateFile } from './private_file.ts'
import type { Session } from './session.ts'
import { render } from './terminal/print.ts'

interface ExportOptions {
  out?: string
  force?: boolean
}

/** Everything is read before anything is written, so that a broken response leaves no file. */
export async function exportUser(session: Session, email: string, { out, force }: ExportOptions) {
  if (out !== undefined && !force) requireNewFile(out)
  const params = { path: { email } }
  const { data } = await unwrap(session.api.GET('/api/users/{email}/export', { params }))
  const { output } = session.options
  const text = render(data, output === 'table' ? 'json' : output)
  if (out === undefined) return session.text(text)
  writePrivateFile(out, `${text}\n`, { replace: force ?? false })
}

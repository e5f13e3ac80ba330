import type { Command } from 'commander'
import { command } from '../command.ts'
import { checkCredentials } from '../doctor/credentials.ts'
import type { Finding } from '../doctor/finding.ts'
import { checkService } from '../doctor/service.ts'
import { EXIT } from '../exit_codes.ts'
import { withSession } from '../session.ts'
import { printable } from '../terminal/printable.ts'
import { styled } from '../terminal/say.ts'

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

export function doctor(program: Command): void {
  command(program, 'doctor', 'Diagnose problems with the connection, credentials and service', [
    'concierge doctor',
    'concierge doctor --profile production --output json',
    '',
    'Exits with 0 if no check failed, 1 if one failed, 3 if the service cannot be reached.',
  ]).action(
    withSession(async (session) => {
      const service = await checkService(session)
      const isReachable = service[0]?.result === 'ok'
      const findings = isReachable ? [...service, ...(await checkCredentials(session))] : service
      if (session.options.output === 'table') session.text(findings.map(formatFinding).join('\n'))
      else session.print(findings)
      const failed = findings.some(({ result }) => result === 'fail')
      process.exitCode = !isReachable ? EXIT.unreachable : failed ? EXIT.refused : EXIT.success
    })
  )
}

function formatFinding({ check, result, detail, hint }: Finding) {
  const mark = styled(COLOURS[result], result.padEnd(4), process.stdout)
  const text = `${mark}  ${check.padEnd(21)}  ${printable(detail)}`
  return result !== 'ok' && hint ? `${text}\n      ${hint}` : text
}

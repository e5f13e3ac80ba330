import type { Command } from 'commander'
import { command } from '../command.ts'
import { lookAtCredentials } from '../doctor/credentials.ts'
import type { Finding } from '../doctor/finding.ts'
import { lookAtService } from '../doctor/service.ts'
import { EXIT } from '../exit_codes.ts'
import { withSession } from '../session.ts'
import { printable } from '../terminal/printable.ts'
import { styled } from '../terminal/say.ts'

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

export function doctor(program: Command): void {
  command(program, 'doctor', 'Look at everything between you and the service', [
    'concierge doctor',
    'concierge doctor --profile production --output json',
    '',
    'Exits with 0 when all is well or only warned of, 1 when something failed, 3 when nobody answered.',
  ]).action(
    withSession(async (session) => {
      const service = await lookAtService(session)
      const isThere = service[0]?.result === 'ok'
      const findings = isThere ? [...service, ...(await lookAtCredentials(session))] : service
      if (session.options.output === 'table') session.text(findings.map(line).join('\n'))
      else session.print(findings)
      const failed = findings.some(({ result }) => result === 'fail')
      process.exitCode = !isThere ? EXIT.unreachable : failed ? EXIT.refused : EXIT.done
    })
  )
}

function line({ check, result, detail, hint }: Finding) {
  const mark = styled(COLOURS[result], result.padEnd(4), process.stdout)
  const text = `${mark}  ${check.padEnd(21)}  ${printable(detail)}`
  return result !== 'ok' && hint ? `${text}\n      ${hint}` : text
}

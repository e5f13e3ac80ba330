import { writeFileSync } from 'node:fs'
import { testPolicy } from '@concierge/policy'
import { unwrap } from '@concierge/client'
import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { usageFailure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { junitReport } from '../policy/junit.ts'
import { naming, readPolicyFile } from '../policy/read_file.ts'
import { testReport } from '../policy/test_report.ts'
import { type Session, withSession } from '../session.ts'

const PATH = '/api/applications/{appCode}/policy'

interface ExportOptions {
  assignments?: boolean
}

interface TestOptions {
  junit?: string
}

export function policy(program: Command): void {
  const parent = group(program, 'policy', 'Keep what an application defines in a file')

  command(parent, 'export <app>', 'Print what an application defines as one document', [
    'concierge policy export shop > shop.yaml',
    'concierge policy export shop --assignments -o json > shop.json',
    '',
    'Contains permissions, roles, entities, and notification types with their templates.',
  ])
    .option('--assignments', 'also who has what: roles, overrides and administrators')
    .action(withSession(exportPolicy))

  command(parent, 'test <policy> <tests>', 'Test a policy without the service', [
    'concierge policy test shop.yaml shop.tests.yaml',
    'concierge policy test shop.yaml shop.tests.yaml --junit report.xml',
    '',
    'Needs no credentials. Exits with 2 if a test fails, and with 64 if a file is not valid.',
  ])
    .option('--junit <file>', 'also write the results as JUnit XML')
    .action(withSession(test))
}

/** YAML unless JSON was asked for. */
async function exportPolicy(session: Session, appCode: string, { assignments }: ExportOptions) {
  const query = assignments ? { assignments: 'true' as const } : {}
  const request = { params: { path: { appCode }, query } }
  if (session.options.output === 'json') {
    const response = await unwrap(session.api.GET(PATH, request))
    return session.print(typeof response === 'string' ? response : response.data)
  }
  const headers = { accept: 'application/yaml' }
  const yaml = await unwrap(session.api.GET(PATH, { ...request, headers, parseAs: 'text' }))
  session.text(String(yaml).trimEnd())
}

async function test(
  session: Session,
  policyFile: string,
  testsFile: string,
  { junit }: TestOptions
): Promise<void> {
  const content = await readPolicyFile(policyFile)
  const tests = await readPolicyFile(testsFile)
  const results = await naming(`${policyFile}, ${testsFile}`, () => testPolicy(content, tests))
  if (junit !== undefined) write(junit, junitReport(policyFile, results))
  if (session.options.output === 'table') session.text(testReport(results))
  else session.print(results)
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = EXIT.negative
}

/** @throws Failure */
function write(path: string, text: string) {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw usageFailure(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}

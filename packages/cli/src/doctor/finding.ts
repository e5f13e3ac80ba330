import { describeError } from '../errors.ts'

export interface Finding {
  check: string
  result: 'ok' | 'warn' | 'fail'
  detail: string
  /** How to fix it. */
  hint: string | null
}

type Check = () => Promise<Omit<Finding, 'check' | 'hint'> & { hint?: string }>

/** Reports unexpected errors as failed checks. */
export async function runCheck(
  check: string,
  hintOnFailure: string,
  work: Check
): Promise<Finding> {
  try {
    const { result, detail, hint = null } = await work()
    return { check, result, detail, hint }
  } catch (error) {
    return { check, result: 'fail', detail: describeError(error).message, hint: hintOnFailure }
  }
}

export const ok = (detail: string) => ({ result: 'ok' as const, detail })
export const warning = (detail: string, hint: string) => ({ result: 'warn' as const, detail, hint })
export const failure = (detail: string, hint: string) => ({ result: 'fail' as const, detail, hint })

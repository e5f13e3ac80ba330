import { explain } from '../errors.ts'

export interface Finding {
  check: string
  result: 'ok' | 'warn' | 'fail'
  detail: string
  /** How to fix it. */
  hint: string | null
}

type Look = () => Promise<Omit<Finding, 'check' | 'hint'> & { hint?: string }>

/** Reports unexpected errors as failed checks. */
export async function look(check: string, hintOnFailure: string, work: Look): Promise<Finding> {
  try {
    const { result, detail, hint = null } = await work()
    return { check, result, detail, hint }
  } catch (error) {
    return { check, result: 'fail', detail: explain(error).message, hint: hintOnFailure }
  }
}

export const ok = (detail: string) => ({ result: 'ok' as const, detail })
export const warning = (detail: string, hint: string) => ({ result: 'warn' as const, detail, hint })
export const failure = (detail: string, hint: string) => ({ result: 'fail' as const, detail, hint })

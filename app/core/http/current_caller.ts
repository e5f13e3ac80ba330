import { HttpContext } from '@adonisjs/core/http'
import { currentLaneRequest, currentRequestId } from '#core/http/current_request'

/** The service itself, for its work in the background. */
export const SERVICE = Symbol('service')

const CHECK = 'check '

/** Whether work is for single checks, which are quick and frequent. */
export const isCheck = (caller: unknown): boolean =>
  typeof caller === 'string' && caller.startsWith(CHECK)

/**
 * For whom the work in progress is done, only to tell callers apart: the same for all requests of a
 * caller, also one after another, but another one for their single checks.
 */
export function currentCaller(): unknown {
  const check = currentLaneRequest()
  if (check !== undefined) return CHECK + check.place.caller.key
  return HttpContext.get()?.place?.caller.key ?? currentRequestId() ?? SERVICE
}

import { HttpContext } from '@adonisjs/core/http'
import { currentRequestId } from '#core/http/current_request_id'

/** The service itself, for its work in the background. */
export const SERVICE = Symbol('service')

/**
 * For whom the work in progress is done, only to tell callers apart: the same for all requests of a
 * caller, also one after another. A request without a context is a check, which is quick, and
 * counts for itself.
 */
export const currentCaller = (): unknown =>
  HttpContext.get()?.place?.caller.key ?? currentRequestId() ?? SERVICE

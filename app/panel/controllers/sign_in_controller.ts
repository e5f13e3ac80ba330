import type { HttpContext } from '@adonisjs/core/http'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import type { Problem } from '#core/exceptions/problem'
import { logSecurityEvent } from '#core/security_events'
import { countFailure, requireFewFailures } from '#core/network/failed_authentication'
import { revokeLater } from '#app/auth/session/revoke_tokens'
import { findSession } from '#app/auth/session/find_session'
import { requireSameOrigin } from '#app/auth/session/require_same_origin'
import {
  clearSessionCookie,
  hashSecret,
  newSecret,
  readBrowserSecret,
  readSessionSecret,
  setBrowserCookie,
  setSessionCookie,
} from '#app/auth/session/session_cookie'
import { beginSignIn } from '#app/panel/actions/begin_sign_in'
import { completeSignIn } from '#app/panel/actions/complete_sign_in'
import { endSession } from '#app/panel/actions/end_session'
import { spendState } from '#app/panel/actions/spend_state'
import { startSession } from '#app/panel/actions/start_session'
import { SignInFailed } from '#app/panel/exceptions'
import {
  type SignInLanguage,
  SIGN_IN_LANGUAGES,
  signInFailedPage,
} from '#app/panel/pages/sign_in_failed_page'
import { protectPanel } from '#app/panel/pages/protect_panel'
import { PANEL_PATH, returnPath } from '#app/panel/values/return_path'
import { signInFailure } from '#app/panel/values/sign_in_failure'
import { type TestSignIn, testPath, testSignIn } from '#app/panel/values/test_sign_in'
import { keepSignIn, takeSignIn } from '#app/panel/values/pending_sign_in'

const HTML = 'text/html; charset=utf-8'

/** See panel.md#signing-in. */
export default class SignInController {
  /**
   * Sign in to the admin panel. Redirects the browser to the identity provider. With `test`, the
   * sign-in only shows whether it works: it starts no session, and ends on a page of the panel that
   * says what failed. Its value, 22 to 64 letters, digits, `-` and `_`, comes back as `test`, so
   * that the page knows its own test.
   */
  async login(ctx: HttpContext) {
    const { request, response } = ctx
    protectPanel(ctx)
    const returnTo = returnPath(request.qs().return_to)
    const test = testSignIn(request.qs().test)
    try {
      const browser = readBrowserSecret(request) ?? newSecret()
      const { location, state, pending } = await beginSignIn(
        { returnTo, test },
        hashSecret(browser)
      )
      keepSignIn(response, state, pending)
      setBrowserCookie(response, browser)
      response.redirect().status(302).toPath(location)
    } catch (error) {
      const problem = signInFailure(error)
      if (test) return endTest(ctx, test, problem)
      response
        .status(problem.status as LoginFailureStatus)
        .header('content-type', HTML)
        .send(failurePage(ctx, problem, returnTo))
    }
  }

  /** Complete a sign-in to the admin panel. Redirects the browser to `return_to`. */
  async callback(ctx: HttpContext) {
    const { request, response } = ctx
    protectPanel(ctx)
    const state: unknown = request.qs().state
    const pending = typeof state === 'string' ? takeSignIn(request, response, state) : null
    try {
      if (typeof state !== 'string' || pending === null) {
        const detail = 'The sign-in was not started in this browser, or took too long'
        throw new SignInFailed({ detail })
      }
      requireFewFailures(ctx)
      await spendState(state)
      const { caller, tokens } = await completeSignIn(request.parsedUrl.query ?? '', state, pending)
      if (pending.test) {
        revokeLater([tokens])
        return endTest(ctx, pending.test, null)
      }
      setSessionCookie(response, await startSession(ctx, caller, tokens, pending.browserHash))
      logSecurityEvent('panel_sign_in', 'A user signed in to the admin panel', {
        actor: caller.email,
      })
      response.redirect().status(302).toPath(pending.returnTo)
    } catch (error) {
      const problem = signInFailure(error)
      if (pending !== null && problem.status < 429) countFailure(ctx)
      if (pending?.test) return endTest(ctx, pending.test, problem)
      response
        .status(problem.status as LoginFailureStatus | 401 | 403 | 429)
        .header('content-type', HTML)
        .send(failurePage(ctx, problem, pending?.returnTo ?? PANEL_PATH))
    }
  }

  /**
   * Sign out of the admin panel. Ends the session here and revokes its refresh token. The response
   * says where the browser ends its session at the identity provider.
   */
  async logout(ctx: HttpContext) {
    protectPanel(ctx)
    if (readSessionSecret(ctx.request) === undefined) return { endSessionUrl: null }
    requireSameOrigin(ctx.request)
    const session = await findSession(ctx.request)
    clearSessionCookie(ctx.response)
    return { endSessionUrl: session === null ? null : await endSession(session) }
  }
}

/** What a provider can cause; these are the statuses that the API description lists. */
type LoginFailureStatus = 400 | 500 | 502 | 503

function endTest({ response }: HttpContext, test: TestSignIn, problem: Problem | null) {
  if (problem) logger.warn({ error: describeError(problem) }, 'A test sign-in failed')
  response.redirect().status(302).toPath(testPath(test, problem))
}

function failurePage({ request }: HttpContext, problem: Problem, returnTo: string) {
  logger.warn({ error: describeError(problem) }, 'A sign-in to the admin panel failed')
  const language = (request.language(SIGN_IN_LANGUAGES) ?? 'en') as SignInLanguage
  return signInFailedPage(problem.message, returnTo, language)
}

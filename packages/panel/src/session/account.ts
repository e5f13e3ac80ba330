import { dropDraftsOfOthers } from '@/session/drafts'

/** All tabs of the panel in this browser, which share its session. */
const tabs = new BroadcastChannel('concierge-account')

/** E-mail address of who this page belongs to, once it knows. */
let account: string | null = null

tabs.onmessage = ({ data }: MessageEvent<string>) => startAgainFor(data)

/**
 * Tells all tabs whose session this is. A page that shows the data of another account starts again,
 * because it would act with the rights and under the name of this one.
 */
export function announceAccount(email: string) {
  startAgainFor(email)
  if (account !== null) return
  account = email
  dropDraftsOfOthers(email)
  tabs.postMessage(email)
}

function startAgainFor(email: string) {
  if (account !== null && account !== email) location.reload()
}

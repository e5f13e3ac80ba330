import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { removeApplicationAdmin } from '#app/permissions/actions/remove_application_admin'
import type { Applying } from '#app/policies/actions/applying'
import { eachChange } from '#app/policies/actions/each_change'
import { parsedWindow } from '#app/policies/values/parsed_window'

/** Removes first, so that additions stay within the limits. */
export async function applyAdministrators(applying: Applying) {
  const { code: appCode } = applying.application
  const wanted = new Map(
    (applying.wanted.assignments?.administrators ?? []).map((row) => [row.email, row])
  )
  await eachChange(applying, 'administrator', ['remove'], ([email]) =>
    removeApplicationAdmin(email, appCode)
  )
  await eachChange(applying, 'administrator', ['add', 'change'], ([email]) =>
    addApplicationAdmin(email, appCode, parsedWindow(wanted.get(email)!))
  )
}

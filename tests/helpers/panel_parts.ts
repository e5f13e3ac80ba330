import type { Locator, Page } from 'playwright-core'

/** The sheet or dialog that is open. */
export const dialogOf = (page: Page) => page.getByRole('dialog')

/** The question before something that cannot be undone. */
export const confirmationOf = (page: Page) => page.getByRole('alertdialog')

/** Presses a button of the open sheet or dialog. */
export const press = (page: Page, name: string) =>
  dialogOf(page).getByRole('button', { name, exact: true }).last().click()

/** Confirms what is asked, after typing the phrase if there is one. */
export async function confirm(page: Page, action: string, phrase?: string) {
  const confirmation = confirmationOf(page)
  if (phrase !== undefined) await confirmation.getByRole('textbox').fill(phrase)
  await confirmation.getByRole('button', { name: action, exact: true }).click()
  await confirmation.waitFor({ state: 'hidden' })
}

/** Types into a field that suggests, and leaves its suggestions alone. */
export async function type(page: Page, field: string, text: string) {
  await dialogOf(page).getByRole('combobox', { name: field, exact: true }).fill(text)
}

/** The cell of the matrix of a permission and a role, by their codes. */
export async function cellOf(page: Page, permission: string, role: string) {
  const grid = page.getByRole('grid')
  const headings = await grid.getByRole('columnheader').allInnerTexts()
  const row = grid
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: permission, exact: true }) })
  return row.getByRole('gridcell').nth(headings.indexOf(role) - 1)
}

export const isFocused = async (element: Locator) =>
  (await element.and(element.page().locator(':focus')).count()) > 0

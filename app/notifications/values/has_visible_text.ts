/** A character that is shown, unlike a zero-width space. */
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u

export const hasVisibleText = (text: string) => VISIBLE.test(text)

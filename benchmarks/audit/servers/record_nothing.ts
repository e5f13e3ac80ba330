/** In place of `app/core/audit/record_change.ts`. */
export const recordChange = async () => {}
export const recordChanges = async () => {}
export const recordSideEffect = async () => {}

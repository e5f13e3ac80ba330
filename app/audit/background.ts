import { SealingSource } from '#app/audit/background/sealing_source'

export const auditWork = [new SealingSource()]

import { api } from '@/api/client'
import { AS_CSV, csvOfPages } from '@/files/csv_file'
import { statusOf } from '@/queries/broadcast_recipients'
import { ONE, placeOf } from '@/queries/broadcasts'

/** The recipients as a CSV file without formulas. */
export const exportRecipients = (appCode: string, id: number, status: string) =>
  csvOfPages((page) => {
    const query = { ...statusOf(status), ...page }
    return api.GET(`${ONE}/recipients`, { params: { ...placeOf(appCode, id), query }, ...AS_CSV })
  })

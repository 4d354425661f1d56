export const tools = {
  refund: async ({ parcel, eur }) => ({ refunded: eur, parcel }),
}

// The functions of the parcel clerk. A definition names tools; only you say what they do.
const PARCELS = { '1Z999AA1': { place: 'Rotterdam', due: '2026-12-01' } }

async function find_parcel({ number }) {
  return PARCELS[number] ?? { place: 'unknown' }
}
// It changes nothing: it may be repeated after a crash, and needs no approval.
find_parcel.readOnly = true

// Not marked, so it counts as a write: it leaves at most once, also across crashes.
async function book_pickup({ number, day }, { idempotencyKey }) {
  return { booked: true, number, day, reference: idempotencyKey }
}

export const tools = { find_parcel, book_pickup }

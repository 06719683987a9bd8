// What of an alert its own object shows.

/**
 * The symptom of an alert on its own object; one that combines several may lead with those of others. Null without an
 * alert.
 */
export const ownSymptom = (alert) =>
  alert
    ? (alert.members?.find((m) => m.object.id === alert.object.id && m.value !== null && m.value !== undefined) ??
      alert)
    : null;

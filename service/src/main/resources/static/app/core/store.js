// Small choices kept per browser; never anything secret.
export function keep(key, value) {
  if (value === null) localStorage.removeItem(`peerlens.${key}`);
  else localStorage.setItem(`peerlens.${key}`, JSON.stringify(value));
}

export function kept(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`peerlens.${key}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

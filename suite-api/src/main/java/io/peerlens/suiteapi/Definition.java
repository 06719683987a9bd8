package io.peerlens.suiteapi;

/** A definition of an alert or a symptom: what lists filter by, and its form. */
record Definition(String id, String name, String adapterKind, String resourceKind, Object form) {}

package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.ObjectKind;

/**
 * A column that a program reads.
 *
 * @param kind perhaps {@code *}: every kind of the adapter that has the key
 * @param key of a metric or property
 * @param attribute whether all instances of the key are read too
 * @param fresh whether it is asked if the values are fresh
 */
public record Input(ObjectKind kind, String key, boolean attribute, boolean fresh) {}

package io.peerlens.definition;

/**
 * Kind of definitions: its name and path, and how many there may be.
 *
 * @param name for instance {@code threshold}
 * @param path of all of them, for instance {@code /api/v1/thresholds}
 * @param most how many there may be
 * @param setting the configuration key that raises that limit
 */
public record DefinitionKind(String name, String path, int most, String setting) {}

package io.peerlens.slow;

/**
 * Place that a series comes from.
 *
 * @param object id of the object, as whoever gathers evidence numbers them
 * @param metric its key without instance
 * @param instance empty = of the whole object
 * @param name what people call the place, such as "disk 2" or "esx-3 52e1"; empty = the object
 *     itself
 */
public record Origin(int object, String metric, String instance, String name) {}

/**
 * Tools of assistants: a server of the Model Context Protocol at {@code /mcp} whose tools read
 * through operations of the contract, and answer briefly.
 */
@NullMarked
package io.peerlens.assistant;

import org.jspecify.annotations.NullMarked;

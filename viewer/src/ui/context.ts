import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "../state/store";

export const StoreContext = createContext<Store | undefined>(undefined);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error("There is no store around this component.");
  return store;
}

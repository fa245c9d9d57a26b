#include "frame_stacks.hpp"

namespace lockstep::python {

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030E0000

namespace {

/// Room for a few frames: a program's, and those of what it calls.
constexpr std::size_t piece_bytes = 1'600;
constexpr std::size_t pieces_of_slab = 256;

/// Keeps the pieces that CPython itself takes and gives back. A program that comes to the end of one, and
/// calls a function there again and again, would go to the kernel each time.
class kept_pieces {
 public:
  /// Puts itself before CPython's allocator of such pieces, once, until the process ends. That is called
  /// by one thread at a time.
  static void begin() {
    static kept_pieces* const only = new kept_pieces;  // which CPython knows to its very end
    static_cast<void>(only);
  }

 private:
  static constexpr std::size_t bytes = 16 * 1024;
  static constexpr std::size_t most = 64;

  kept_pieces() {
    m_free.reserve(most);
    PyObject_GetArenaAllocator(&m_outer);
    PyObjectArenaAllocator own{this, &kept_pieces::allocate, &kept_pieces::release};
    PyObject_SetArenaAllocator(&own);
  }

  static void* allocate(void* context, std::size_t size) {
    auto& self = *static_cast<kept_pieces*>(context);
    if (size != bytes || self.m_free.empty()) return self.m_outer.alloc(self.m_outer.ctx, size);
    void* const piece = self.m_free.back();
    self.m_free.pop_back();
    return piece;
  }

  static void release(void* context, void* piece, std::size_t size) {
    auto& self = *static_cast<kept_pieces*>(context);
    if (size != bytes || self.m_free.size() == most)
      self.m_outer.free(self.m_outer.ctx, piece, size);
    else
      self.m_free.push_back(piece);
  }

  PyObjectArenaAllocator m_outer{};
  std::vector<void*> m_free;
};

}  // namespace

frame_stacks::frame_stacks() { kept_pieces::begin(); }

frame_piece::frame_piece(frame_stacks& of) : m_of(of) {
  auto* const thread = PyThreadState_Get();
  if (thread->datastack_chunk != nullptr) return;
  m_piece = of.take();
  thread->datastack_chunk = m_piece;
  // As CPython does: what lies first in the first piece is never given back.
  thread->datastack_top = &m_piece->data[1];
  thread->datastack_limit =
      reinterpret_cast<PyObject**>(reinterpret_cast<char*>(m_piece) + m_piece->size);
}

frame_piece::~frame_piece() {
  auto* const thread = PyThreadState_Get();
  // All frames are gone, and with them all further pieces.
  if (m_piece == nullptr || thread->datastack_chunk != m_piece) return;
  thread->datastack_chunk = nullptr;
  thread->datastack_top = nullptr;
  thread->datastack_limit = nullptr;
  m_of.give_back(m_piece);
}

frame_stacks::~frame_stacks() {
  if (m_taken == 0) return;
  for (auto& slab : m_slabs) static_cast<void>(slab.release());
}

_PyStackChunk* frame_stacks::take() {
  ++m_taken;
  if (!m_free.empty()) {
    auto* const chunk = m_free.back();
    m_free.pop_back();
    return chunk;
  }
  if (m_left == 0) {
    m_slabs.push_back(std::make_unique_for_overwrite<std::byte[]>(piece_bytes * pieces_of_slab));
    m_left = pieces_of_slab;
  }
  --m_left;
  auto* const chunk = reinterpret_cast<_PyStackChunk*>(m_slabs.back().get() + piece_bytes * m_left);
  chunk->previous = nullptr;
  chunk->size = piece_bytes;
  chunk->top = 0;
  return chunk;
}

void frame_stacks::give_back(_PyStackChunk* chunk) {
  --m_taken;
  m_free.push_back(chunk);
}

#else

frame_stacks::frame_stacks() = default;

frame_stacks::~frame_stacks() = default;

frame_piece::frame_piece(frame_stacks& /*of*/) {}

frame_piece::~frame_piece() = default;

#endif

}  // namespace lockstep::python
